import { describe, expect, test } from 'vitest'
import { press, see, useConsole } from './support/console.js'

const token = 'token-of-the-operator'
const denied = useConsole({ control: token })

test('the console shows why control is not permitted, and works with the token', async () => {
  const { page } = await denied.open()
  await page.getByRole('heading', { name: 'Control is not permitted' }).waitFor()
  await see(page, /Sandbox-Token header/)
  await page.getByLabel('Sandbox token').fill(token)
  await press(page, 'Reset this world')
  await see(page, 'Reset to the start of default.')
  await page.locator('.mark.live').waitFor()
})

describe('with signed keys', () => {
  const { open } = useConsole({ keySecrets: ['a secret of the operator'], keyIssuing: token })

  test('the console asks for the token to create a key, keeps it, and controls the world of the key', async () => {
    const { page } = await open()
    await press(page, 'Reset this world')
    await see(page, /^The world of the shared key sbx_free can be read but not/)

    await press(page, 'New key…')
    const dialog = page.getByRole('dialog')
    await press(page, 'Create a private key')
    await dialog
      .getByRole('alert')
      .getByText(/Sandbox-Token header/)
      .waitFor()
    await dialog.getByLabel('Sandbox token').fill(token)
    await press(page, 'Create a private key')
    await dialog.waitFor({ state: 'detached' })
    const key = await page.getByLabel('API key').inputValue()
    expect(key).toMatch(/^sbx_free_default_[0-9a-f]{40}-[0-9a-f]{32}$/)

    await press(page, 'Reset this world')
    await see(page, 'Reset to the start of default.')
    await page.reload()
    await press(page, 'New key…')
    expect(await dialog.getByLabel('Sandbox token').inputValue()).toBe(token)
  })

  test('the journal of a shared world says that it shows no details', async () => {
    const { page } = await open()
    await press(page, 'Send it from here')
    await page.locator('.entries summary').first().click()
    await see(page, /does not show headers and bodies/)
  })
})
