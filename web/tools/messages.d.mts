export type Message = string | [input: string, one: string, other: string];
export function parse(key: string, value: unknown): Message;
export function inputs(message: Message): string[];
export function read(locale: string): Map<string, Message>;
export function languages(): string[];
export function make(): void;
export function messages(): import('vite').Plugin;
