import type { Meta, StoryObj } from '@storybook/react-vite'
import { sandbox } from '../.storybook/world'
import { ApiKey } from './api-key'
import { StockTable } from './stock-table'

/** Stories of an application whose key is built in. Each has a page and a sandbox of its own. */
const meta: Meta<typeof StockTable> = {
  component: StockTable,
  decorators: [
    (Story) => (
      <ApiKey value="sbx_free">
        <Story />
      </ApiKey>
    ),
  ],
  // #region frames
  parameters: { docs: { story: { inline: false, height: '400px' } } },
  loaders: [async ({ parameters }) => (await sandbox).use(parameters.scenario ?? 'default')],
  // #endregion
}
export default meta
type Story = StoryObj<typeof StockTable>

export const Default: Story = {}

export const LowStock: Story = { parameters: { scenario: 'low-stock' } }
