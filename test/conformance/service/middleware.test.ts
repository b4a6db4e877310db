import { middlewareTransport } from '../../support/transports.js'
import { describeService } from './service.js'

describeService(middlewareTransport)
