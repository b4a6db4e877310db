import type { Meta, StoryObj } from '@storybook/react-vite'
import { StockTable } from './stock-table'

const meta: Meta<typeof StockTable> = { component: StockTable }
export default meta
type Story = StoryObj<typeof StockTable>

export const Default: Story = {}

export const Compact: Story = { args: { compact: true } }

export const LowStock: Story = { parameters: { scenario: 'low-stock' } }

export const Empty: Story = { parameters: { scenario: 'empty-store' } }

export const OutOfRequests: Story = { parameters: { scenario: 'rate-limited' } }

export const AfterAMinute: Story = {
  parameters: { scenario: 'rate-limited' },
  play: async ({ loaded, canvas, userEvent }) => {
    const button = await canvas.findByRole('button', { name: 'Try again' })
    loaded.world.clock.advance('PT1M')
    await userEvent.click(button)
    await canvas.findByRole('table')
  },
}

export const Banned: Story = { parameters: { scenario: 'banned-key' } }

export const Failing: Story = { parameters: { scenario: 'failing' } }
