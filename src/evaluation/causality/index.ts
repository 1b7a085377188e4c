/** Causes in logs whose causes are known: generated corpora, the truth of one's own logs, scores. */
export { type Corpus, type CorpusEvent, type CorpusOptions, type Incident, makeCorpus } from './corpus.ts'
export { corpusColumns, corpusFiles, corpusRecords, incidentTruth, truthOf } from './corpus-files.ts'
export { type CausalityAsked, type CausalityEvaluation, type EdgeScores, evaluateCausality, evaluateColumns } from './evaluate.ts'
export { type Truth, readTruth } from './truth.ts'
