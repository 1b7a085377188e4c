/** A link to another part of the page: brings it into view and puts the reader there, leaving the address as it is. */
import type { ReactNode } from 'react'

interface Props {
  readonly to: string
  readonly label?: string
  readonly before?: () => void
  readonly children: ReactNode
}

export function Jump({ to, label, before, children }: Props) {
  return (
    <a
      href={`#${to}`}
      aria-label={label}
      onClick={(event) => {
        event.preventDefault()
        before?.()
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
