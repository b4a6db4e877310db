import { addresses } from '../contract/addresses.js'
import { planIds } from '../contract/plans.js'

/**
 * The page that stands in for the console where that was not built: where the sandbox is, and how
 * to call it.
 *
 * @param origin Where the page was asked for, such as `http://127.0.0.1:4010`.
 */
export function toStartPage(origin: string): string {
  const places = Object.values(addresses).map(
    ({ title, httpPath }) => `<li>${title}: <code>${escapeHtml(origin + httpPath)}</code></li>`,
  )
  const keys = planIds.map((plan) => `<li><code>sbx_${plan}</code></li>`)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>petstore-sandbox</title>
</head>
<body>
<h1>petstore-sandbox</h1>
<p>A sandbox of the Pet Store Inventory Service. <a href="/openapi.json">OpenAPI document</a>, <a href="/openapi.sandbox.json">that of steering</a></p>
<h2>Addresses</h2>
<ul>${places.join('')}</ul>
<h2>Keys</h2>
<ul>${keys.join('')}</ul>
<p>A longer key, <code>sbx_free_low-stock_my-label</code>, reaches a world of its own.</p>
<h2>Try</h2>
<pre>${escapeHtml(toCurlLines(origin))}</pre>
</body>
</html>
`
}

function toCurlLines(origin: string): string {
  const key = '-H "Authorization: Bearer sbx_free"'
  const json = '-H "Content-Type: application/json"'
  return [
    `curl ${key} ${origin}/v1/inventory`,
    `curl -X PATCH ${key} ${json} -d '{"quantity":5}' ${origin}/v1/inventory/1`,
    `curl -X POST ${key} ${json} -d '{"message":"Hello"}' ${origin}/quickstart/messages`,
  ].join('\n')
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
