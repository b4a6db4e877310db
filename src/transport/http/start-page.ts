import { addresses } from '../../service/addresses.js'
import { planIds } from '../../service/plans.js'

/**
 * Creates the page that is served if the console was not built. Lists the addresses, keys and
 * example requests.
 *
 * @param root URL of the server without a trailing slash, such as `http://127.0.0.1:4010`.
 */
export function toStartPage(root: string): string {
  const items = Object.values(addresses).map(
    ({ title, httpPath }) => `<li>${title}: <code>${escapeHtml(root + httpPath)}</code></li>`,
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
<p>A sandbox for the Pet Store Inventory Service. <a href="openapi.json">OpenAPI document</a>, <a href="openapi.3.0.json">in OpenAPI 3.0</a>, <a href="openapi.sandbox.json">OpenAPI document of the control API</a></p>
<h2>Addresses</h2>
<ul>${items.join('')}</ul>
<h2>Keys</h2>
<ul>${keys.join('')}</ul>
<p>A key with a scenario and a label, such as <code>sbx_free_low-stock_my-label</code>, has its own world.</p>
<h2>Try</h2>
<pre>${escapeHtml(toCurlLines(root))}</pre>
</body>
</html>
`
}

function toCurlLines(root: string): string {
  const key = '-H "Authorization: Bearer sbx_free"'
  const json = '-H "Content-Type: application/json"'
  return [
    `curl ${key} ${root}/v1/inventory`,
    `curl -X PATCH ${key} ${json} -d '{"quantity":5}' ${root}/v1/inventory/1`,
    `curl -X POST ${key} ${json} -d '{"message":"Hello"}' ${root}/quickstart/messages`,
  ].join('\n')
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
