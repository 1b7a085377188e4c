/** Text into HTML. Everything that is not markup of ours goes through `escaped`. */
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (char) => ENTITIES[char] ?? char)

/** 1234567 as `1 234 567`, with thin spaces: the same on every host, whatever its language. */
export const grouped = (count: number): string => String(count).replaceAll(/\B(?=(\d{3})+$)/g, '\u2009')

export type Cell = string | number | { readonly text: string; readonly href: string }

/** Numbers stand to the right. The first cell of a row names the row. */
export function htmlTable(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const cell = (value: Cell, at: number): string => {
    const tag = at === 0 ? 'th scope="row"' : 'td'
    if (typeof value === 'number') return `<${tag} class="n">${grouped(value)}</${tag.split(' ')[0]}>`
    const text = typeof value === 'string' ? escaped(value) : `<a href="${escaped(value.href)}">${escaped(value.text)}</a>`
    return `<${tag}>${text}</${tag.split(' ')[0]}>`
  }
  const numeric = head.map((_, at) => rows.length > 0 && rows.every((row) => typeof row[at] === 'number'))
  const heads = head.map((name, at) => `<th scope="col"${numeric[at] === true ? ' class="n"' : ''}>${escaped(name)}</th>`)
  return [
    // wide tables scroll by themselves, also for a reader without a mouse
    `<div class="scroll" role="region" tabindex="0" aria-label="${escaped(`Table by ${head[0] ?? ''}`)}"><table>`,
    `<thead><tr>${heads.join('')}</tr></thead>`,
    '<tbody>',
    ...rows.map((row) => `<tr>${row.map(cell).join('')}</tr>`),
    '</tbody></table></div>',
  ].join('\n')
}
