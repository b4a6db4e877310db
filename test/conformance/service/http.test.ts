import { httpTransport } from '../../support/transports.js'
import { describeService } from './service.js'

describeService(httpTransport)
