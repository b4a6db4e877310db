import type { Quote } from './specification.js'

/** A statement of the specification that requests cannot observe. */
export interface Unobservable extends Quote {
  readonly reason: string
}

const aboutDocument = 'about the document'
const notShown = 'states that a fact is not shown'
const description = 'about the interface description, whose address is not given'
const oneKey = 'about the platform, not about responses'

/** Every statement that has no check, and the reason. */
export const unobservable: readonly Unobservable[] = [
  {
    section: 'introduction',
    sentence:
      'This document covers the whole service: the store inventory operations (the only operations whose shape is given), the authentication scheme, the error body, the rate limits and the versioning facts.',
    reason: aboutDocument,
  },
  { section: 'introduction', sentence: 'It is the only document.', reason: aboutDocument },
  {
    section: '1',
    sentence: 'The service is a pet store interface.',
    reason: 'names the subject of the service',
  },
  {
    section: '1',
    sentence: 'It groups its operations under two navigation sections, Store and Pets.',
    reason: description,
  },
  { section: '1', sentence: 'They are listed in section 4 by name only.', reason: aboutDocument },
  {
    section: '2',
    sentence:
      'Fields of the pet record and of the store-order record: not shown beyond the fact that both exist.',
    reason: notShown,
  },
  { section: '3', sentence: 'Transitions: not shown.', reason: notShown },
  {
    section: '4.1',
    sentence: 'Operation name: listInventory.',
    reason: 'requests do not contain the name',
  },
  {
    section: '4.2',
    sentence: 'Operation name: updateInventory.',
    reason: 'requests do not contain the name',
  },
  { section: '4.2', sentence: 'Stability: experimental.', reason: description },
  {
    section: '4.2',
    sentence: 'The request shape may change before the operation becomes stable.',
    reason: 'about the future',
  },
  {
    section: '4.3',
    sentence:
      'Request and response shapes of these two operations and any other Pets or Store operations: not shown.',
    reason: notShown,
  },
  {
    section: '5',
    sentence:
      "Obtaining a key: an account is created and a key generated in the platform's account area.",
    reason: oneKey,
  },
  { section: '5', sentence: 'Lifetime and scopes of a key: not shown.', reason: notShown },
  {
    section: '6',
    sentence: 'Events, webhooks or notifications: not shown.',
    reason: notShown,
  },
  { section: '7', sentence: 'The set of values of `code`: not shown.', reason: notShown },
  {
    section: '8',
    sentence: 'Enterprise | custom | custom',
    reason: 'any limit agrees',
  },
  {
    section: '8',
    sentence: 'Repeated requests after a 429 may lead to a temporary ban of the API key.',
    reason: 'whether and when is not shown, and a check would have to provoke a ban',
  },
  { section: '8', sentence: 'Higher limits come from a plan upgrade.', reason: oneKey },
  { section: '8', sentence: 'Enterprise quotas are agreed individually.', reason: oneKey },
  {
    section: '8',
    sentence:
      'Bounds on `quantity` and the split of the limits between individual operations: not shown.',
    reason: notShown,
  },
  {
    section: '9',
    sentence: 'The interface description carries version 1.0.0.',
    reason: description,
  },
  {
    section: '9',
    sentence: 'Each operation may carry a stability mark, `experimental` or `beta`.',
    reason: description,
  },
  {
    section: '9',
    sentence: 'updateInventory is `experimental`, so its request shape may change.',
    reason: description,
  },
  { section: '9', sentence: 'The date itself: not shown.', reason: notShown },
]
