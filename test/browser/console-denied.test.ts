import { test } from 'vitest'
import { openConsoleSite } from './support/console-site.js'
import { usePages } from './support/pages.js'

const token = 'token-of-the-operator'
const { open } = usePages(() => openConsoleSite({ control: token }))

test('the console shows why control is not permitted, and works with the token', async () => {
  const { page } = await open()
  await page.getByRole('heading', { name: 'Control is not permitted' }).waitFor()
  await page.getByText(/Sandbox-Token header/).waitFor()
  await page.getByLabel('Sandbox token').fill(token)
  await page.getByRole('button', { name: 'Reset this world' }).click()
  await page.getByText('Reset to the start of default.').waitFor()
  await page.locator('.mark.live').waitFor()
})
