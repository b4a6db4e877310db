// Imported when there is a window, for which React and SWR look when they are loaded.
import { createElement, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import useSWR, { SWRConfig } from 'swr'
import { read } from './response-error.js'

function Item({ url, headers, onData }) {
  const { data } = useSWR(url, (key) => read(key, headers))
  useEffect(() => {
    if (data !== undefined) onData()
  }, [data, onData])
  return null
}

/** Renders a component for each URL. `onData` is called when one has data. */
export function renderItems(element, configuration, urls, headers, onData) {
  const items = urls.map((url) => createElement(Item, { url, headers, onData, key: url }))
  createRoot(element).render(createElement(SWRConfig, { value: configuration }, ...items))
}
