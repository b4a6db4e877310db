import { directTransport } from '../support/in-process-transports.js'
import { describeService } from './service.js'

describeService(directTransport)
