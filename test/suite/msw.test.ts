import { mswTransport } from '../support/in-process-transports.js'
import { describeService } from './service.js'

describeService(mswTransport)
