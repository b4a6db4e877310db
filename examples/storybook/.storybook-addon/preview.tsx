import type { Preview } from '@storybook/react-vite'
import { mswLoader } from 'msw-storybook-addon/csf3'
import { openWorld, sandbox } from '../.storybook/world'
import { ApiKey } from '../src/api-key'

const preview: Preview = {
  tags: ['autodocs'],
  loaders: [mswLoader(async () => (await sandbox).worker), openWorld],
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
