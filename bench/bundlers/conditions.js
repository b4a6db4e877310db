/** Pages that import the sandbox under a condition, and whether every bundler removes it. */
export const conditions = [
  { page: 'inline', title: 'in the `if` around `import()`', isRemoved: true },
  { page: 'constant', title: 'in a constant of the same file', isRemoved: true },
  { page: 'early-return', title: '`return` before `import()`', isRemoved: false },
  { page: 'imported-constant', title: 'in a constant of another file', isRemoved: false },
  { page: 'inside-import', title: 'in an `if` below a static `import`', isRemoved: false },
]
