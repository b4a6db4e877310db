// Makes the store acknowledge what it does not write.
import { ClassicLevel } from 'classic-level'

ClassicLevel.prototype.batch = () => ({ put() {}, del() {}, write: async () => {} })
