'use client'

import { type ReactNode, useEffect, useState } from 'react'

/** Renders its children as soon as the sandbox responds in this page; in production, at once. */
export function MockProvider({ children }: { children: ReactNode }) {
  const [isReady, setReady] = useState(process.env.NODE_ENV === 'production')
  useEffect(() => {
    // Next.js replaces the condition by a constant, and removes the import from the production build.
    if (process.env.NODE_ENV !== 'production') {
      // Strict mode runs effects twice, but a module only once.
      import('../../lib/mock').then(() => setReady(true), console.error)
    }
  }, [])
  return isReady ? children : <p>Loading …</p>
}
