import type { Preview } from '@storybook/react-vite'
import { ApiKey } from '../src/api-key'
import { openWorld } from './world'

const preview: Preview = {
  tags: ['autodocs'],
  globalTypes: {
    scenario: {
      description: 'Scenario of the sandbox',
      toolbar: {
        icon: 'database',
        dynamicTitle: true,
        items: [{ value: '', title: 'Scenario of the story' }, 'low-stock', 'empty-store'],
      },
    },
  },
  initialGlobals: { scenario: '' },
  loaders: [openWorld],
  // The returned function is called when the story is left or remounted.
  beforeEach: ({ loaded }) => {
    return () => loaded.world.reset()
  },
  decorators: [
    (Story, { loaded }) => (
      <ApiKey value={loaded.apiKey}>
        <Story />
      </ApiKey>
    ),
  ],
}

export default preview
