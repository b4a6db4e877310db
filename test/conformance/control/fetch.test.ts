import { directTransport } from '../../support/direct-transport.js'
import { describeControl } from './control.js'

describeControl(directTransport)
