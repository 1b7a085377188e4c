/** The tables of the clinical trial database, and what the people who run it say about their columns. */
export const SCHEMA = `
CREATE TABLE study (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, title TEXT NOT NULL, phase TEXT NOT NULL, state TEXT NOT NULL,
  opened_on DATE NOT NULL
);
CREATE TABLE site (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, city TEXT NOT NULL, country TEXT NOT NULL
);
CREATE TABLE study_site (
  study_id INTEGER NOT NULL REFERENCES study (id), site_id INTEGER NOT NULL REFERENCES site (id),
  PRIMARY KEY (study_id, site_id)
);
CREATE TABLE subject (
  id INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE, first_name TEXT NOT NULL, last_name TEXT NOT NULL, birth_date DATE NOT NULL,
  email TEXT NOT NULL, phone TEXT NOT NULL, site_id INTEGER NOT NULL REFERENCES site (id)
);
CREATE TABLE enrolment (
  id INTEGER PRIMARY KEY, subject_id INTEGER NOT NULL REFERENCES subject (id), study_id INTEGER NOT NULL REFERENCES study (id),
  status TEXT NOT NULL CHECK (status IN ('enrolled', 'withdrawn', 'completed')), started_on DATE NOT NULL, ended_on DATE,
  UNIQUE (subject_id, study_id)
);
CREATE TABLE eligibility_criterion (
  id INTEGER PRIMARY KEY, study_id INTEGER NOT NULL REFERENCES study (id), analyte TEXT NOT NULL,
  operator TEXT NOT NULL CHECK (operator IN ('<', '<=', '>', '>=')), threshold NUMERIC NOT NULL, unit TEXT NOT NULL
);
CREATE TABLE unit_conversion (
  id INTEGER PRIMARY KEY, analyte TEXT NOT NULL, from_unit TEXT NOT NULL, to_unit TEXT NOT NULL, factor NUMERIC NOT NULL,
  UNIQUE (analyte, from_unit, to_unit)
);
CREATE TABLE visit (
  id INTEGER PRIMARY KEY, enrolment_id INTEGER NOT NULL REFERENCES enrolment (id), label TEXT NOT NULL, visited_on DATE NOT NULL
);
CREATE TABLE lab_result (
  id INTEGER PRIMARY KEY, subject_id INTEGER NOT NULL REFERENCES subject (id), visit_id INTEGER REFERENCES visit (id),
  analyte TEXT NOT NULL, value NUMERIC NOT NULL, unit TEXT NOT NULL, taken_at DATETIME NOT NULL
);
CREATE TABLE medication (
  id INTEGER PRIMARY KEY, subject_id INTEGER NOT NULL REFERENCES subject (id), drug TEXT NOT NULL, dose_mg NUMERIC NOT NULL,
  started_on DATE NOT NULL, ended_on DATE
);
CREATE TABLE ontology_metadata (
  target_type TEXT NOT NULL, table_name TEXT NOT NULL, column_name TEXT, semantic_type TEXT, label TEXT, description TEXT,
  synonyms TEXT, sensitivity_tier TEXT, is_event_class INTEGER, has_key_columns TEXT, is_transitive INTEGER, is_symmetric INTEGER,
  is_functional INTEGER, is_inverse_functional INTEGER, inverse_of TEXT, disjoint_group TEXT, created_at TEXT NOT NULL
);
`

/** Tiers that neither names nor values show: that a number is a finding about a person is known to the sponsor only. */
export const TIERS: readonly (readonly [table: string, column: string | null, tier: string, description: string])[] = [
  ['subject', 'first_name', 'Restricted', 'Given name; leaves the site on no document'],
  ['subject', 'last_name', 'Restricted', 'Family name; leaves the site on no document'],
  ['subject', 'birth_date', 'Restricted', 'Date of birth'],
  ['subject', 'email', 'Restricted', 'How the site reaches the subject'],
  ['subject', 'phone', 'Restricted', 'How the site reaches the subject'],
  ['subject', 'code', 'Internal', 'The pseudonym that study documents use'],
  ['lab_result', null, 'Confidential', 'What a laboratory found in a sample'],
  ['medication', null, 'Confidential', 'What a subject takes beside the study drug'],
]
