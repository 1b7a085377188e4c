/** What can be asked about: flavors, sources and whether search is switched on. */
import { useEffect, useState } from 'react'
import { ApiError, getFlavors, getHealth, getSources } from './api.ts'
import type { FlavorInfo, SourceInfo, Trouble } from './wire.ts'

export interface Catalogue {
  readonly flavors: readonly FlavorInfo[]
  readonly sources: readonly SourceInfo[]
  readonly searchEnabled: boolean
  readonly trouble: Trouble | null
}

/** `round` grows when the reader changes something that may help, as a token does. */
export function useCatalogue(round: number): Catalogue {
  const [catalogue, set] = useState<Catalogue>({ flavors: [], sources: [], searchEnabled: true, trouble: null })
  useEffect(() => {
    let wanted = true
    const keep = (news: Partial<Catalogue>) => wanted && set((known) => ({ ...known, ...news }))
    getHealth().then(({ search_enabled: searchEnabled }) => keep({ searchEnabled }), () => undefined)
    Promise.all([getFlavors(), getSources()]).then(
      ([flavors, sources]) => keep({ flavors, sources, trouble: null }),
      (error: unknown) => keep({ trouble: error instanceof ApiError ? error.trouble : null }),
    )
    return () => void (wanted = false)
  }, [round])
  return catalogue
}
