// A module of the shape of sherpa-onnx-node. It hears a beep in each loud part of a sound. The first line of the model's
// tokens.txt says how it behaves.
const fs = require('node:fs');

const LOUD = 0.1;
const QUIET_SECONDS = 0.05;
let decoded = 0;

class OfflineRecognizer {
  constructor(config) {
    this.setConfig(config);
    const { tokens, numThreads, provider } = config.modelConfig;
    if (!fs.existsSync(tokens) || numThreads < 1 || provider !== 'cpu') throw new Error('Please check your config!');
    this.behaviour = fs.readFileSync(tokens, 'utf8').split('\n')[0];
    if (this.behaviour === 'die while loading') process.abort();
  }

  setConfig(config) {
    const { tokens, numThreads, provider, debug, ...models } = config.modelConfig;
    const [[kind, { language = '' }]] = Object.entries(models);
    if (Object.keys(models).length !== 1) throw new Error(`several models: ${kind}`);
    this.language = language;
  }

  createStream() {
    return {
      acceptWaveform({ samples, sampleRate }) {
        if (!(samples instanceof Float32Array)) throw new TypeError('samples should be a typed array');
        Object.assign(this, { samples, sampleRate });
      },
    };
  }

  decode(stream) {
    if (this.behaviour === 'die once') {
      fs.writeFileSync(`${process.argv[2]}/tokens.txt`, 'usual');
      process.abort();
    }
    if (this.behaviour === 'hang') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    if (this.behaviour === 'grow') this.kept = Buffer.alloc(300_000_000, 1);
    stream.timestamps = beepsIn(stream);
    decoded += 1;
  }

  getResult({ timestamps }) {
    if (this.behaviour === 'broken answer') throw new SyntaxError('Unexpected token in JSON');
    if (this.behaviour === 'count')
      return { lang: '', text: timestamps.length > 1 ? String(Math.ceil(decoded / 2)) : '' };
    if (this.behaviour === 'tell its language') return { lang: '', text: this.language || 'none' };
    const tokens = timestamps.map(() => ' beep');
    const text = tokens.join('').trim();
    const found = { lang: `<|${this.language || 'en'}|>`, text };
    return this.behaviour === 'no times' ? { ...found, tokens, timestamps: [] } : { ...found, tokens, timestamps };
  }
}

function beepsIn({ samples, sampleRate }) {
  const starts = [];
  let loudAt = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < samples.length; i++) {
    if (Math.abs(samples[i]) < LOUD) continue;
    if (i - loudAt > QUIET_SECONDS * sampleRate) starts.push(i / sampleRate);
    loudAt = i;
  }
  return starts;
}

module.exports = { OfflineRecognizer };
