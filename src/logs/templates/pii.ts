/** What must not be shown: values that name or unlock a person, told by the slot's name or by the values themselves. */
import { isDigit, isEmail, splitIdentifier } from '../../kernel/text/index.ts'

const NAMES: ReadonlySet<string> = new Set(
  `imsi msisdn supi gpsi imei email mail phone mobile tel msin subscriber user username login person customer
  owner firstname lastname surname birthday birthdate dob street ssn passport iban creditcard
  cardnumber cvv token secret password passwd pwd apikey authorization bearer cookie credential credentials
  pin otp jwt latitude longitude`.split(/\s+/),
)

/** `isPrivateName('user_email')`: any word of the name is enough. */
export const isPrivateName = (name: string): boolean => {
  const words = splitIdentifier(name)
  return words.some((word) => NAMES.has(word)) || NAMES.has(words.join(''))
}

/**
 * An e-mail, a payment card, an IBAN, an IMSI, a phone number with +, a JSON web token or a cloud access key, alone or inside a
 * text. What is shown by itself is judged by this; it may hide too much, as one number in ten passes for a card.
 */
export const isPrivateValue = (value: string): boolean => wordsOf(value).some((word) => isSecret(word) || isPersonalNumber(word))

/** True of the values of a slot when one of them is certain, or half of them are numbers that a person has. */
export function arePrivateValues(values: readonly string[]): boolean {
  if (values.some((value) => wordsOf(value).some(isSecret))) return true
  const numbers = values.filter((value) => wordsOf(value).some(isPersonalNumber)).length
  return numbers > 0 && numbers * 2 >= values.length
}

const wordsOf = (value: string): string[] =>
  value.split(/[\s,;:<>()"']+/).filter((word) => word.length >= 8 && word.length <= 4096)

/** Told by its form: hardly anything else looks so. */
function isSecret(word: string): boolean {
  if (isEmail(word) || isKeyOrToken(word)) return true
  if (word.startsWith('+')) return word.length <= 16 && allDigits(word.slice(1)) // E.164
  return word.length <= 34 && isIban(word)
}

function isKeyOrToken(word: string): boolean {
  if (word.startsWith('eyJ') && word.length > 20) return true
  return word.startsWith('AKIA') && word.length === 20
}

/** A card by range and check digit, or fifteen digits that begin as an IMSI does (ITU-T E.212: country codes from 2 to 7). */
function isPersonalNumber(word: string): boolean {
  if (word.length < 13 || word.length > 19 || !allDigits(word)) return false
  const first = word[0] ?? ''
  if (word.length === 15 && first >= '2' && first <= '7') return true
  return first >= '2' && first <= '6' && luhn(word)
}

const allDigits = (text: string): boolean => text !== '' && [...text].every(isDigit)

/** The check digit of card numbers (ISO/IEC 7812-1). */
export function luhn(digits: string): boolean {
  let sum = 0
  for (let i = 0; i < digits.length; i += 1) {
    const digit = Number(digits[digits.length - 1 - i])
    const doubled = i % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** Country, check digits, account; the rearranged number leaves 1 when divided by 97 (ISO 13616). */
function isIban(word: string): boolean {
  if (word.length < 15 || !/^[A-Z]{2}\d{2}[A-Z0-9]+$/.test(word)) return false
  const moved = word.slice(4) + word.slice(0, 4)
  let rest = 0
  for (const char of moved) for (const digit of String(parseInt(char, 36))) rest = (rest * 10 + Number(digit)) % 97
  return rest === 1
}
