/** Model adapters, their readiness and residency. `embedded` needs no model. */
export { type CatalogueEntry, type Env, ProviderCatalogue, needsConsent } from './catalogue.ts'
export { FAILURES, type FailureKind, ModelFailure } from './failure.ts'
export {
  type JsonSchema, type ModelProvider, type ModelReply, type ModelRequest, type ProviderCard, type ReplyShape, type Residency,
  LIMITS_OF_PROMPT, estimatedTokens,
} from './model.ts'
export { type Chosen, type ProviderStatus, type Readiness, providerNamed, providerStatuses, providersFor } from './readiness.ts'
export { type ProviderTest, testProvider } from './test-call.ts'
