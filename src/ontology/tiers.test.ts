import { expect, it } from 'vitest'
import { TIERS } from '../contracts/index.ts'
import type { ValueType } from '../sources/index.ts'
import { isCardNumber, proposeTier } from './tiers.ts'

const column = (name: string, samples: readonly string[] = [], valueType: ValueType = 'text') => ({
  name, declaredType: '', valueType, nullable: true, generated: false, comment: null, samples,
})
const propose = (tableName: string, ...of: Parameters<typeof column>) =>
  proposeTier({ name: tableName, kind: 'table' }, column(...of))

it.each([
  ['customer', 'contact_email', 'Restricted'],
  ['customer', 'ContactPhone', 'Restricted'],
  ['customer', 'phone_number', 'Restricted'],
  ['account', 'password_hash', 'Restricted'],
  ['account', 'apiToken', 'Restricted'],
  ['person', 'national_id', 'Restricted'],
  ['person', 'date_of_birth', 'Restricted'],
  ['visit', 'diagnosis_code', 'Restricted'],
  ['visit', 'medication_id', 'Restricted'],
  ['payment', 'credit_card_number', 'Restricted'],
  ['customer', 'phone2', 'Restricted'],
  ['customer', 'e_mail_1', 'Restricted'],
  ['customer', 'address2', 'Confidential'],
  ['customer', 'billing_address', 'Confidential'],
  ['employee', 'salary', 'Confidential'],
  ['sla', 'penalty_per_hour', 'Confidential'],
  ['employee', 'name', 'Confidential'],
  ['lead', 'last_name', 'Confidential'],
  ['ticket', 'notes', 'Confidential'],
  ['customer', 'name', 'Internal'],
  ['customer', 'address_id', 'Internal'],
  ['host', 'ip_address', 'Internal'],
  ['phone', 'phone_model', 'Internal'],
  ['llm_call', 'token_count', 'Internal'],
  ['alarm', 'severity', 'Internal'],
  ['alarm', 'raised_at', 'Internal'],
  ['race', 'race_id', 'Internal'],
  ['site', 'country', 'Public'],
])('%s.%s is %s by its name', (tableName, name, tier) => {
  expect(propose(tableName, name).tier).toBe(tier)
})

it.each([
  ['e-mail addresses', ['a@b.example', 'c.d@e.example', 'x@y.z.example'], 'Restricted'],
  ['phone numbers', ['+49 30 901820', '+1 (555) 010-9999', '+44 20 7946 0000'], 'Restricted'],
  ['social security numbers', ['078-05-1120', '219-09-9999', '457-55-5462'], 'Restricted'],
  ['card numbers', ['4111 1111 1111 1111', '5500000000000004', '340000000000009'], 'Restricted'],
  ['long numbers without a check digit', ['4111111111111112', '5500000000000005', '340000000000001'], 'Internal'],
  ['two addresses only', ['a@b.example', 'c@d.example'], 'Internal'],
  ['mostly addresses', ['a@b.example', 'c@d.example', 'none', 'e@f.example'], 'Restricted'],
  ['a few addresses among words', ['a@b.example', 'c@d.example', 'e@f.example', 'w', 'x', 'y', 'z'], 'Internal'],
  ['sentences', ['The line card was replaced and the customer was told about it by telephone.'], 'Confidential'],
  ['nothing', [], 'Internal'],
])('a column x that holds %s is %s by its values', (_, samples, tier) => {
  expect(propose('t', 'x', samples).tier).toBe(tier)
})

it('does not trust the name of a view\'s column, and does not look into bytes', () => {
  expect(proposeTier({ name: 'v', kind: 'view' }, column('state')).tier).toBe('Restricted')
  expect(propose('t', 'state', [], 'blob').tier).toBe('Confidential')
})

it('always proposes a tier, and says why', () => {
  for (const name of ['', 'x', '顧客', 'id', '__proto__', 'constructor']) {
    const { tier, because } = propose(name, name)
    expect(TIERS).toContain(tier)
    expect(because).not.toBe('')
  }
})

// 79927398713 is the usual worked example (sum 70); padded to the length of a card
it('knows a card number by its check digit', () => {
  expect(isCardNumber('0079927398713')).toBe(true)
  for (const last of '012456789') expect(isCardNumber(`007992739871${last}`)).toBe(false)
})
