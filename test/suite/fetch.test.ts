import { directTransport } from '../support/transports.js'
import { describeService } from './service.js'

describeService(directTransport)
