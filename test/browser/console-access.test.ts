import { expect, test } from 'vitest'
import { openConsoleSite } from './support/console-site.js'
import { usePages } from './support/pages.js'

const token = 'token-of-the-operator'
const { open } = usePages(() =>
  openConsoleSite({
    keySecrets: ['a secret of the operator'],
    keyIssuing: token,
  }),
)

test('the console asks for the token to create a key, keeps it, and controls the world of the key', async () => {
  const { page } = await open()
  await page.getByRole('button', { name: 'Reset this world' }).click()
  await page.getByText(/^The world of the shared key sbx_free can be read but not/).waitFor()

  await page.getByRole('button', { name: 'New key…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create a private key' }).click()
  await dialog
    .getByRole('alert')
    .getByText(/Sandbox-Token header/)
    .waitFor()
  await dialog.getByLabel('Sandbox token').fill(token)
  await dialog.getByRole('button', { name: 'Create a private key' }).click()
  await dialog.waitFor({ state: 'detached' })
  const key = await page.getByLabel('API key').inputValue()
  expect(key).toMatch(/^sbx_free_default_[0-9a-f]{40}-[0-9a-f]{32}$/)

  await page.getByRole('button', { name: 'Reset this world' }).click()
  await page.getByText('Reset to the start of default.').waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'New key…' }).click()
  expect(await dialog.getByLabel('Sandbox token').inputValue()).toBe(token)
})

test('the journal of a shared world says that it shows no details', async () => {
  const { page } = await open()
  await page.getByRole('button', { name: 'Send it from here' }).click()
  await page.locator('.entries summary').first().click()
  await page.getByText(/does not show headers and bodies/).waitFor()
})
