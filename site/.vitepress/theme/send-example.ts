import { defineComponent, h, type PropType, ref } from 'vue'
import type { ExampleRequest } from '../curl.js'
import type { Exchange } from './sandbox.js'

/** A block of code with a button that sends its requests to a sandbox in the page. */
export const SendExample = defineComponent({
  props: {
    requests: Array as PropType<ExampleRequest[]>,
    script: String,
  },
  setup(props, { slots }) {
    const exchanges = ref<Exchange[]>([])
    const isSending = ref(false)
    const failure = ref('')
    const count = props.requests?.length ?? 1

    async function send(): Promise<void> {
      if (isSending.value) return
      isSending.value = true
      exchanges.value = []
      failure.value = ''
      try {
        const { runScript, sendRequests } = await import('./sandbox.js')
        const results = props.script ? runScript(props.script) : sendRequests(props.requests ?? [])
        for await (const exchange of results) exchanges.value.push(exchange)
      } catch (error) {
        failure.value = `The sandbox does not run. Check the connection, and load the page again. ${error}`
      } finally {
        isSending.value = false
      }
    }

    return () => {
      const name = count === 1 ? 'Send' : `Send ${count} requests`
      const statuses = exchanges.value.map(({ status }) => status).join(', ')
      return h('div', { class: 'send-example' }, [
        slots.default?.(),
        h('p', [
          h('button', { type: 'button', 'aria-disabled': isSending.value, onClick: send }, name),
          ' to a sandbox in your browser. All examples share it until you load the page again.',
        ]),
        h('p', { role: 'status' }, failure.value || statuses),
        exchanges.value.map(renderExchange),
      ])
    }
  },
})

function renderExchange(exchange: Exchange) {
  const { request, status, headers, include, body, explanation } = exchange
  return h('div', { class: 'exchange' }, [
    h('p', [h('code', request), ' → ', h('strong', status)]),
    h('details', { open: include }, [h('summary', 'Headers'), h('pre', { tabindex: 0 }, headers)]),
    h('pre', { tabindex: 0 }, body),
    explanation && h('p', 'Explanation'),
    explanation &&
      h(
        'ol',
        explanation.map((step) => h('li', step)),
      ),
  ])
}
