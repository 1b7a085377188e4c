/** What must not be shown: values that name or unlock a person, told by the slot's name or by the value itself. */
import { isDigit, isEmail, splitIdentifier } from '../../kernel/text/index.ts'

const NAMES: ReadonlySet<string> = new Set(
  `imsi msisdn supi gpsi imei email mail phone mobile tel msin subscriber user username login person customer
  owner firstname lastname surname birthday birthdate dob address street ssn passport iban creditcard
  cardnumber cvv token secret password passwd pwd apikey authorization bearer cookie credential credentials
  pin otp jwt latitude longitude`.split(/\s+/),
)

/** `isPrivateName('user_email')`: any word of the name is enough. */
export const isPrivateName = (name: string): boolean => {
  const words = splitIdentifier(name)
  return words.some((word) => NAMES.has(word)) || NAMES.has(words.join(''))
}

/** An e-mail, a payment card, an IBAN, a phone number with +, a JSON web token or a cloud access key, alone or inside a text. */
export const isPrivateValue = (value: string): boolean => value.split(/[\s,;:<>()"']+/).some(isPrivateWord)

function isPrivateWord(word: string): boolean {
  if (word.length < 8 || word.length > 4096) return false
  if (isEmail(word) || isToken(word)) return true
  if (word.length > 34) return false
  if (word.startsWith('+')) return word.length <= 16 && allDigits(word.slice(1))
  return (word.length >= 13 && word.length <= 19 && allDigits(word) && luhn(word)) || isIban(word)
}

const allDigits = (text: string): boolean => text !== '' && [...text].every(isDigit)

function isToken(word: string): boolean {
  if (word.startsWith('eyJ') && word.length > 20) return true
  return word.startsWith('AKIA') && word.length === 20
}

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
