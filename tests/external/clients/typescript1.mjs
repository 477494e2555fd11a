// What does the first generation of the official TypeScript client make of the server?
// A plan names the server's `url`, or a `command` that each session starts with its key in the environment.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { text } from "node:stream/consumers";

const plan = JSON.parse(await text(process.stdin));
let status = 0; // of the last answer over HTTP

async function noting(...request) {
  const response = await fetch(...request);
  status = response.status;
  return response;
}

function transportWith(key) {
  if (plan.command) {
    const [command, ...args] = plan.command;
    const transport = new StdioClientTransport({ command, args, env: { ...plan.environment, VADE_KEY: key } });
    transport.setProtocolVersion = (version) => (transport.protocolVersion = version);
    return transport;
  }
  return new StreamableHTTPClientTransport(new URL(plan.url), {
    fetch: noting,
    requestInit: { headers: { Authorization: `Bearer ${key}` } },
  });
}

async function outcome(client, name, given) {
  try {
    const answer = await client.callTool({ name, arguments: given });
    const blocks = answer.content.filter((block) => block.type === "text");
    return {
      status,
      isError: answer.isError ?? false,
      structured: answer.structuredContent ?? null,
      text: blocks.map((block) => block.text).join(""),
    };
  } catch (error) {
    return { status, problem: error.message };
  }
}

async function visit({ key, calls }) {
  const seen = { outcomes: [] };
  const client = new Client({ name: "typescript-1", version: "1" });
  const transport = transportWith(key);
  try {
    await client.connect(transport);
    seen.version = transport.protocolVersion;
    seen.tools = (await client.listTools()).tools.map((tool) => tool.name);
    for (const [name, given] of calls) {
      seen.outcomes.push(await outcome(client, name, given));
    }
    await client.close();
  } catch (error) {
    seen.ended = status || error.data.status; // the bridge tells it in the error
  }
  return seen;
}

const seen = [];
for (const session of plan.sessions) {
  seen.push(await visit(session));
}
process.stdout.write(JSON.stringify(seen));
