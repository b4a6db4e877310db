import type { Meta, StoryObj } from '@storybook/react-vite'
import { ApiKey } from './api-key'
import { StockTable } from './stock-table'

/** Stories of an application whose key is built in. They share one world. */
const meta: Meta<typeof StockTable> = {
  component: StockTable,
  decorators: [
    (Story) => (
      <ApiKey value="sbx_free">
        <Story />
      </ApiKey>
    ),
  ],
}
export default meta
type Story = StoryObj<typeof StockTable>

export const First: Story = {}

export const Second: Story = {}
