/** A link to another part of the page: brings it into view and puts the reader there, leaving the address as it is. */
import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'

interface Props {
  readonly to: string
  readonly label?: string
  readonly className?: string
  readonly before?: () => void
  readonly children: ReactNode
}

export function Jump({ to, label, className, before, children }: Props) {
  return (
    <a
      href={`#${to}`}
      aria-label={label}
      className={className}
      onClick={(event) => {
        event.preventDefault()
        event.stopPropagation()
        if (before !== undefined) flushSync(before) // the target may only appear with what `before` changes
        goTo(to)
      }}
    >
      {children}
    </a>
  )
}

function goTo(id: string): void {
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
  const target = document.getElementById(id)
  target?.scrollIntoView({ block: 'nearest', behavior: calm ? 'auto' : 'smooth' })
  target?.focus({ preventScroll: true })
}
