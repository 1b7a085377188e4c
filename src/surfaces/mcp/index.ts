/** The MCP surface: a server for a caller, to be put on any transport. */
export { type McpParts, mcpServer } from './server.ts'
