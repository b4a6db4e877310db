import { HttpResponse, http } from 'msw'
import { setupWorker } from 'msw/browser'

await setupWorker(http.get('/', () => HttpResponse.text(''))).start()
