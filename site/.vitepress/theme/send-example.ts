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

    async function send(): Promise<void> {
      if (isSending.value) return
      isSending.value = true
      exchanges.value = []
      try {
        const { runScript, sendRequests } = await import('./sandbox.js')
        const results = props.script ? runScript(props.script) : sendRequests(props.requests ?? [])
        for await (const exchange of results) exchanges.value.push(exchange)
      } finally {
        isSending.value = false
      }
    }

    return () =>
      h('div', { class: 'send-example' }, [
        slots.default?.(),
        h('p', [
          h('button', { type: 'button', 'aria-disabled': isSending.value, onClick: send }, 'Send'),
          ' to a sandbox in this page',
        ]),
        h('div', { role: 'status' }, exchanges.value.map(renderExchange)),
      ])
  },
})

function renderExchange({ request, status, headers, body, explanation }: Exchange) {
  return h('div', { class: 'exchange' }, [
    h('p', [h('code', request), ' → ', h('strong', status)]),
    h('details', [h('summary', 'Headers'), h('pre', { tabindex: 0 }, headers)]),
    h('pre', { tabindex: 0 }, body),
    explanation && h('p', 'Explanation'),
    explanation &&
      h(
        'ol',
        explanation.map((step) => h('li', step)),
      ),
  ])
}
