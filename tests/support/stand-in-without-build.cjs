// sherpa-onnx-node fails like this while it is loaded, if npm has installed it for another machine.
throw new Error('Could not find sherpa-onnx-node. Tried\n\n  ../build/Release/sherpa-onnx.node');
