/** A list that stays readable: a short one whole, a long one cut to what the selection needs or to its beginning. */
import { Fragment, useState } from 'react'
import type { ReactNode } from 'react'

const SHORT = 6

interface Props<T> {
  readonly className: string
  readonly items: readonly T[]
  readonly isRelated: (item: T) => boolean
  readonly selected: boolean
  readonly keyOf: (item: T) => string | number
  readonly children: (item: T) => ReactNode
}

export function ShortList<T>({ className, items, isRelated, selected, keyOf, children }: Props<T>) {
  const [whole, setWhole] = useState(false)
  const short = items.length <= SHORT
  const shown = short || (whole && !selected) ? items : selected ? items.filter(isRelated) : items.slice(0, SHORT)
  return (
    <>
      <ol className={className}>{shown.map((item) => <Fragment key={keyOf(item)}>{children(item)}</Fragment>)}</ol>
      {!short && !selected && (
        <button type="button" className="link" onClick={() => setWhole(!whole)}>
          {whole ? `show the first ${SHORT}` : `show all ${items.length}`}
        </button>
      )}
      {!short && selected && <p className="muted small">{items.length - shown.length} others do not belong to what you chose</p>}
    </>
  )
}
