import { describeService } from '../../suite/service.js'
import { workerTransport } from './worker-transport.js'

describeService(workerTransport)
