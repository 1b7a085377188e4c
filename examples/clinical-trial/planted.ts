/** What is known about this trial on purpose, beside the background noise. README.md tells it in words. */

export interface Analyte {
  /** the unit that every criterion uses */
  readonly unit: string
  /** background values lie in here, in that unit: inside every criterion of every study, with room to round */
  readonly usual: readonly [low: number, high: number]
  /** a value that breaks a criterion somewhere; stands in the background only where it does not count */
  readonly odd: number
  readonly digits: number
  /** factor from another unit to `unit` */
  readonly from: Readonly<Record<string, number>>
}

export const ANALYTES: Readonly<Record<string, Analyte>> = {
  glucose: { unit: 'mmol/L', usual: [4.2, 8.4], odd: 13.6, digits: 1, from: { 'mg/dL': 0.0555 } },
  creatinine: { unit: 'umol/L', usual: [55, 110], odd: 212, digits: 0, from: { 'mg/dL': 88.4 } },
  potassium: { unit: 'mmol/L', usual: [3.8, 4.9], odd: 3.1, digits: 1, from: { 'mEq/L': 1 } },
  hemoglobin: { unit: 'g/L', usual: [118, 160], odd: 88, digits: 0, from: { 'g/dL': 10, 'mmol/L': 16.11 } },
  'alanine aminotransferase': { unit: 'U/L', usual: [12, 60], odd: 190, digits: 0, from: { 'ukat/L': 60 } },
  platelets: { unit: '10^9/L', usual: [160, 340], odd: 61, digits: 0, from: { '10^3/uL': 1 } },
}

type Criterion = readonly [analyte: string, operator: '<' | '<=' | '>' | '>=', threshold: number]

interface Study {
  readonly title: string
  readonly phase: string
  readonly criteria: readonly Criterion[]
}

/** A criterion says what a subject must meet, in the unit of its analyte. */
export const STUDIES: Readonly<Record<string, Study>> = {
  'AURORA-1': {
    title: 'Once-weekly insulin in type 2 diabetes', phase: 'III',
    criteria: [
      ['glucose', '<', 10],
      ['creatinine', '<=', 132.6],
      ['hemoglobin', '>=', 100],
      ['alanine aminotransferase', '<', 120],
    ],
  },
  'BOREAS-2': {
    title: 'Maintenance therapy after ovarian cancer', phase: 'II',
    criteria: [
      ['potassium', '>', 3.5],
      ['potassium', '<=', 5.5],
      ['hemoglobin', '>=', 90],
      ['platelets', '>=', 100],
    ],
  },
  'CIRRUS-3': {
    title: 'Iron replacement in chronic kidney disease', phase: 'III',
    criteria: [
      ['creatinine', '<=', 300],
      ['hemoglobin', '>=', 100],
      ['potassium', '<', 6],
    ],
  },
  'DRACO-4': {
    title: 'Blood pressure control in the elderly', phase: 'IV',
    criteria: [
      ['potassium', '>', 3.5],
      ['creatinine', '<=', 150],
    ],
  },
}

/** Days before the data was closed; the same day twice is the same minute twice. */
export type Sample = readonly [daysAgo: number, analyte: string, value: number, unit: string]

interface Case {
  readonly enrolments: readonly (readonly [study: string, status: 'enrolled' | 'withdrawn' | 'completed'])[]
  /** every result of these analytes; the others get usual values */
  readonly samples: readonly Sample[]
}

export const CASES: Readonly<Record<string, Case>> = {
  // --- now ineligible ---
  'S-0017': {
    enrolments: [['AURORA-1', 'enrolled']],
    samples: [[90, 'glucose', 7.8, 'mmol/L'], [6, 'glucose', 12.4, 'mmol/L']],
  },
  'S-0042': {
    enrolments: [['AURORA-1', 'enrolled']],
    samples: [[70, 'creatinine', 96, 'umol/L'], [9, 'creatinine', 1.9, 'mg/dL']],
  },
  'S-0068': {
    enrolments: [['BOREAS-2', 'enrolled']],
    samples: [[64, 'potassium', 4.2, 'mmol/L'], [4, 'potassium', 3.5, 'mmol/L']],
  },
  'S-0101': {
    enrolments: [['CIRRUS-3', 'enrolled']],
    samples: [[80, 'hemoglobin', 121, 'g/L'], [5, 'hemoglobin', 9.4, 'g/dL'], [5, 'hemoglobin', 95, 'g/L']],
  },
  // --- not so, each for a reason of its own ---
  'S-0009': {
    enrolments: [['AURORA-1', 'enrolled']],
    samples: [[60, 'glucose', 13.1, 'mmol/L'], [7, 'glucose', 6.2, 'mmol/L']],
  },
  'S-0023': {
    enrolments: [['AURORA-1', 'enrolled']],
    samples: [[75, 'glucose', 6.4, 'mmol/L'], [8, 'glucose', 126, 'mg/dL']],
  },
  'S-0031': {
    enrolments: [['AURORA-1', 'enrolled']],
    samples: [[66, 'creatinine', 101, 'umol/L'], [3, 'creatinine', 1.5, 'mg/dL']],
  },
  'S-0036': {
    enrolments: [['BOREAS-2', 'enrolled']],
    samples: [[50, 'potassium', 4.4, 'mmol/L'], [2, 'potassium', 5.5, 'mEq/L']],
  },
  'S-0055': {
    enrolments: [['AURORA-1', 'enrolled']],
    samples: [[61, 'alanine aminotransferase', 31, 'U/L'], [6, 'alanine aminotransferase', 3200, 'nkat/L']],
  },
  'S-0118': {
    enrolments: [['AURORA-1', 'enrolled']],
    samples: [[58, 'glucose', 14.2, 'mmol/L'], [5, 'glucose', 1.1, 'g/L']],
  },
  'S-0060': {
    enrolments: [['AURORA-1', 'withdrawn']],
    samples: [[81, 'glucose', 7.1, 'mmol/L'], [11, 'glucose', 15.3, 'mmol/L']],
  },
  'S-0074': {
    enrolments: [['BOREAS-2', 'completed']],
    samples: [[77, 'platelets', 210, '10^9/L'], [10, 'platelets', 58, '10^9/L']],
  },
  'S-0083': {
    enrolments: [['CIRRUS-3', 'enrolled']],
    samples: [[65, 'creatinine', 171, 'umol/L'], [6, 'creatinine', 180, 'umol/L']],
  },
  'S-0112': {
    enrolments: [['AURORA-1', 'withdrawn'], ['DRACO-4', 'enrolled']],
    samples: [[72, 'glucose', 7.7, 'mmol/L'], [7, 'glucose', 216, 'mg/dL']],
  },
  'S-0090': {
    enrolments: [['DRACO-4', 'enrolled']],
    samples: [[63, 'potassium', 4.1, 'mmol/L'], [5, 'potassium', 3.2, 'mmol/L'], [5, 'potassium', 4.1, 'mmol/L']],
  },
}
