import { directTransport } from '../../support/direct-transport.js'
import { describeService } from './service.js'

describeService(directTransport)
