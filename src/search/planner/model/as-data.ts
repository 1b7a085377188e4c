/** Text of others in a prompt: one line of JSON without a sign that could end the block it stands in. */
export const asData = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('>', '\\u003e')
    .replaceAll(/[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)

export const block = (name: string, lines: readonly string[]): string => `<${name}>\n${lines.join('\n')}\n</${name}>`
