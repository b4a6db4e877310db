import { createContext } from 'react'

/** The key with which the components below send requests. */
export const ApiKey = createContext('')
