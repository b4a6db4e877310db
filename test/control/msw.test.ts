import { mswTransport } from '../support/transports.js'
import { describeControl } from './control.js'

describeControl(mswTransport)
