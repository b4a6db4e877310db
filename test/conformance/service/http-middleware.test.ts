import { httpMiddlewareTransport } from '../../support/transports.js'
import { describeService } from './service.js'

describeService(httpMiddlewareTransport)
