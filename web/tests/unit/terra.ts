/* The module for tests in node. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { TerraModule } from '../../src/lib/engine/module';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const bytes = readFileSync(new URL('../../wasm/terra.wasm', import.meta.url));
export const compiled = new WebAssembly.Module(bytes);
export const loadModule = (): TerraModule => new TerraModule(new WebAssembly.Instance(compiled, {}));
