/** A stock count that can be changed in its place: sent when it is left or Enter is pressed. */
export function QuantityInput(props: {
  name: string
  quantity: number
  onChange: (quantity: number) => void
}) {
  const send = (input: HTMLInputElement) => {
    if (input.value === '' || !input.reportValidity()) input.value = String(props.quantity)
    else props.onChange(Number(input.value))
  }
  return (
    <input
      type="number"
      class="quantity"
      min="0"
      step="1"
      aria-label={`Quantity of ${props.name}`}
      value={props.quantity}
      onChange={(event) => send(event.currentTarget)}
    />
  )
}
