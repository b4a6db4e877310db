import { expect, expectTypeOf, test } from 'vitest'
import type * as browser from '../../../src/browser.js'
import type * as main from '../../../src/index.js'
import { createSandbox } from '../../../src/index.js'
import type * as node from '../../../src/node.js'
import type * as playwright from '../../../src/playwright.js'
import type * as server from '../../../src/server.js'
import type * as vitest from '../../../src/vitest.js'
import { ScenarioLibrary } from '../../../src/world/scenario/library.js'

test('every entry point exports the type of sandbox.world', () => {
  type Expected = main.InProcessSandbox['world']
  expectTypeOf<main.World>().toEqualTypeOf<Expected>()
  expectTypeOf<node.World>().toEqualTypeOf<Expected>()
  expectTypeOf<browser.World>().toEqualTypeOf<Expected>()
  expectTypeOf<server.World>().toEqualTypeOf<Expected>()
  expectTypeOf<vitest.World>().toEqualTypeOf<Expected>()
  expectTypeOf<playwright.World>().toEqualTypeOf<Expected>()
})

test('the fixtures of vitest and Playwright have the same type', () => {
  type Fixture = vitest.SandboxFixtures['sandbox']
  expectTypeOf<playwright.SandboxFixtures['sandbox']>().toEqualTypeOf<Fixture>()
  expectTypeOf<playwright.TestSandbox>().toEqualTypeOf<vitest.TestSandbox>()
  expectTypeOf<Fixture>().toExtend<main.InProcessSandbox>()
})

/** A name that an example declares. */
type Declared = 'three-pets'

test('ScenarioName lists the built-in scenarios', () => {
  const listed = {
    default: true,
    'empty-store': true,
    'low-stock': true,
    'large-catalogue': true,
    'int64-ids': true,
    'nearly-limited': true,
    'rate-limited': true,
    'gentle-limit': true,
    'daily-quota-spent': true,
    'banned-key': true,
    'sunset-soon': true,
    'sunset-passed': true,
    flaky: true,
    slow: true,
    realistic: true,
  } satisfies Record<Exclude<main.ScenarioName, Declared>, true>
  expect(Object.keys(listed)).toEqual(new ScenarioLibrary().names())
})

test('records reject misspelled fields at compile time, unless their type has additional ones', async () => {
  const { db } = (await createSandbox()).world
  // @ts-expect-error: quantty is not a field of a pet.
  db.pets.add({ petId: 70, name: 'Rex', quantty: 3 })
  // @ts-expect-error: the name is required.
  expect(() => db.pets.add({ petId: 71 })).toThrow('name is missing')
  // @ts-expect-error: quantty is not a field of a pet.
  db.pets.change('70', { quantty: 3 })
  // @ts-expect-error: the quantity is a number.
  expect(() => db.pets.change('70', { quantity: '3' })).toThrow('quantity must be')
  // @ts-expect-error: complet is not a field of an order.
  db.orders.add({ id: 70, petId: 1, complet: true })
  // @ts-expect-error: complet is not a field of an order.
  db.orders.change('70', { complet: true })
  const pet: main.PetInput & Record<string, unknown> = { petId: 71, name: 'Rex', weight: 12 }
  db.pets.add(pet)
  const fields: Partial<main.PetInput> & Record<string, unknown> = { weight: 13 }
  db.pets.change('71', fields)
  expect(db.pets.find('71')).toMatchObject({ name: 'Rex', weight: 13 })
})

/** Has `undefined` in each field. Assignable to `T` only if each option accepts `undefined`. */
type AllUndefined<T> = { readonly [Name in keyof T]-?: undefined }

test('every option accepts undefined', () => {
  expectTypeOf<AllUndefined<main.SandboxOptions>>().toExtend<main.SandboxOptions>()
  expectTypeOf<AllUndefined<node.NodeSandboxOptions>>().toExtend<node.NodeSandboxOptions>()
  expectTypeOf<
    AllUndefined<browser.BrowserSandboxOptions>
  >().toExtend<browser.BrowserSandboxOptions>()
  expectTypeOf<AllUndefined<server.SandboxServerOptions>>().toExtend<server.SandboxServerOptions>()
  expectTypeOf<AllUndefined<server.HttpLimitOptions>>().toExtend<server.HttpLimitOptions>()
  expectTypeOf<AllUndefined<server.ListenOptions>>().toExtend<server.ListenOptions>()
  expectTypeOf<AllUndefined<server.CloseOptions>>().toExtend<server.CloseOptions>()
  expectTypeOf<AllUndefined<vitest.TestSandboxOptions>>().toExtend<vitest.TestSandboxOptions>()
  expectTypeOf<AllUndefined<vitest.ExpectedRequests>>().toExtend<vitest.ExpectedRequests>()
  expectTypeOf<AllUndefined<main.RequestFilter>>().toExtend<main.RequestFilter>()
  expectTypeOf<AllUndefined<main.WaitOptions>>().toExtend<main.WaitOptions>()
})

test('a filter accepts asymmetric matchers of vitest and Playwright, and rejects what never matches', () => {
  type Filter = main.RequestFilter
  expectTypeOf<main.AsymmetricMatcher>().toExtend<Filter['status']>()
  expectTypeOf<main.AsymmetricMatcher>().toExtend<Filter['headers']>()
  expectTypeOf<main.AsymmetricMatcher>().toExtend<Filter['query']>()
  for (const field of ['method', 'path', 'code'] as const) {
    expectTypeOf<main.AsymmetricMatcher>().toExtend<Filter[typeof field]>()
    expectTypeOf<ReturnType<typeof playwright.expect.any>>().toExtend<Filter[typeof field]>()
    expectTypeOf<RegExp>().not.toExtend<Filter[typeof field]>()
  }
  expectTypeOf<'200'>().not.toExtend<Filter['status']>()
  expectTypeOf<main.AsymmetricMatcher>().not.toExtend<Filter['operation']>()
  expectTypeOf<main.AsymmetricMatcher>().not.toExtend<Filter['sinceMs']>()
  expectTypeOf<{ page: number }>().not.toExtend<Filter['query']>()
  expectTypeOf<{ tag: string[] }>().toExtend<Filter['query']>()
  expectTypeOf<{ 'x-a': number }>().not.toExtend<Filter['headers']>()
  expectTypeOf<main.ErrorCode>().toExtend<Filter['code']>()
  expectTypeOf<main.JournalEntry['request']>().toEqualTypeOf<main.ParsedRequest>()
  expectTypeOf<main.PendingRequest>().toEqualTypeOf<vitest.PendingRequest>()
})
