import { httpTransport } from '../../support/transports.js'
import { describeControl } from './control.js'

describeControl(httpTransport)
