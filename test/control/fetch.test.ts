import { directTransport } from '../support/transports.js'
import { describeControl } from './control.js'

describeControl(directTransport)
