import type { Meta, StoryObj } from '@storybook/react-vite'
import { HttpResponse, http } from 'msw'
import { StockTable } from '../stock-table'

const meta: Meta<typeof StockTable> = { component: StockTable }
export default meta
type Story = StoryObj<typeof StockTable>

export const Connected: Story = {}

// #region disconnected
export const Disconnected: Story = {
  beforeEach: ({ msw }) => {
    msw.use(http.get('*/v1/inventory', () => HttpResponse.error()))
  },
}
// #endregion
