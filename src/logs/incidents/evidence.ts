/** A reason to suspect a service. All scores are on one scale: twice the log of how much likelier a change is than none. */
export interface Evidence {
  readonly service: string
  readonly kind: 'step' | 'call' | 'slow' | 'link' | 'metric'
  readonly score: number
}
