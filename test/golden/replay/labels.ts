/** The random labels of keys that a sandbox has created, in the order of their appearance. */
export class Labels {
  readonly #found: string[] = []

  /** Replaces each label with its name. */
  mask(text: string): string {
    return text.replace(/(?<![0-9a-f])[0-9a-f]{40}(?![0-9a-f])/g, (label) => {
      if (!this.#found.includes(label)) this.#found.push(label)
      return `<label ${this.#found.indexOf(label) + 1}>`
    })
  }

  /** Replaces each name with its label. */
  restore(text: string): string {
    return text.replace(/<label (\d+)>/g, (name, number) => this.#found[number - 1] ?? name)
  }
}
