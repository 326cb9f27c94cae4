/** The entry `clip-lookup-client/forwarder`. */
export { createForwarder, type ForwardedRequest, type Forwarder, type ForwarderOptions } from './forwarder.ts'
export {
  expressHandler,
  honoHandler,
  nodeHandler,
  type ClientOf,
  type HonoContext,
  type NodeRequest,
  type NodeResponse,
} from './handlers.ts'
