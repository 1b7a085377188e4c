/**
 * Words of the office that people use for each other, and that no dictionary puts together: staff are employees to whoever asks,
 * though one is a group and the other a person. About English, never about a database; a word may stand in several rows.
 */
import type { WeighedWord } from './synonyms.ts'

const ROWS: readonly (readonly string[])[] = `
staff|employee|personnel|worker
goods|product|item|merchandise|article
client|customer
company|firm|enterprise|business|corporation
department|division|unit
type|category|kind|class|sort
sex|gender
location|place|position|site|venue
location|address
zip code|postal code|postcode|zip
first name|forename|given name
last name|surname|family name
birthday|birth date|date of birth
price|cost|charge|fee
salary|wage|pay|income|earnings
revenue|income|earnings|turnover
phone|telephone|mobile|cell
movie|film|picture
song|track|tune
day|date
document|file|paper
course|class|curriculum|subject
lesson|class
city|town
country|nation
nationality|country|nation
region|district|area|zone
school|college|university|institution
teacher|instructor|professor|lecturer|faculty
student|pupil
head|leader|chief|boss|manager
supervisor|manager|boss
job|occupation|profession|post
rating|score|grade|mark
result|outcome
picture|photo|photograph|image
description|text|content|detail
information|detail|description
headquarters|head office|main office
salary|earn
attendance|attendee
population|populace|inhabitant|resident
nickname|moniker|alias
start|begin|beginning
end|finish|ending
player|participant|competitor|athlete
competition|contest|match|tournament
appointment|reservation|booking
aircraft|airplane|plane
airport|terminal
capacity|seat
duration|length
amount|quantity
theme|topic|subject
attribute|feature|characteristic|property
device|equipment
major|discipline
email|mail
apartment|flat
car|vehicle|automobile
house|home
doctor|physician
`.trim().split('\n').map((row) => row.split('|'))

const WEIGHT = 1

const byWord: ReadonlyMap<string, readonly string[]> = (() => {
  const found = new Map<string, string[]>()
  for (const row of ROWS) for (const word of row) found.set(word, [...(found.get(word) ?? []), ...row.filter((other) => other !== word)])
  return found
})()

/** The words that are used for this one, in no order of likeness. */
export const usedFor = (word: string): readonly WeighedWord[] => (byWord.get(word) ?? []).map((lemma) => ({ lemma, weight: WEIGHT }))
