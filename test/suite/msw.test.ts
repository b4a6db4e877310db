import { mswTransport } from '../support/transports.js'
import { describeService } from './service.js'

describeService(mswTransport)
