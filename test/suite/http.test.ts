import { httpTransport } from '../support/http-transports.js'
import { describeService } from './service.js'

describeService(httpTransport)
